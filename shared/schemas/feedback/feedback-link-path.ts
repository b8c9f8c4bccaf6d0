/** What the path of a link for feedback begins with; its token follows. */
export const FEEDBACK_LINK_PATH = "/f/";
