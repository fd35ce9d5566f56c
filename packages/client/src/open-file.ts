import type { OpenedFile } from './upload';

/** Refuses a path where there is no file system. */
export function openFile(path: string): Promise<OpenedFile> {
  return Promise.reject(new TypeError(`There is no file system here to read ${path} from: pass a File or a stream.`));
}
