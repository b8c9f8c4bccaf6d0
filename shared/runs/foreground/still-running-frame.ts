/** Last frame of a stream whose run has not ended. It is an SSE comment, no event; clients that know it resume. */
export const STILL_RUNNING_FRAME = ": the run goes on; resume to follow it\n\n";
