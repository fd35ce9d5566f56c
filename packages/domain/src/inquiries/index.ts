export {
  answerInquiry,
  beginInquiry,
  cancelInquiry,
  enqueueInquiry,
  failInquiry,
  inquiryNotFound,
  InquiryStoppedError,
  progressNotes,
  simulationInquiry,
  suggestionInquiry,
  trainingInquiry,
  type Inquiry,
} from './inquiry';
export { deleteOldInquiries, sweepInquiries } from './recovery';
