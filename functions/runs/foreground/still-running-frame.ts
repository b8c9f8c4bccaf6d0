/** What a stream ends with whose run does not end. Comments are no events; who knows of them resumes. */
export const STILL_RUNNING_FRAME = ": the run goes on; resume to follow it\n\n";
