export {
  answerInquiry,
  cancelInquiry,
  enqueueInquiry,
  failInquiry,
  inquiryNotFound,
  progressNotes,
  simulationInquiry,
  suggestionInquiry,
  trainingInquiry,
  workOnInquiry,
  type Inquiry,
} from './inquiry';
export { deleteOldInquiries, sweepInquiries } from './recovery';
