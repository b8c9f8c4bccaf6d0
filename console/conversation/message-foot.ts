import { createContext, type ReactNode } from "react";

/** What stands below an answer of the run itself, such as how it was judged; the answers of members and of earlier runs have none. */
export const MessageFoot = createContext<((message_id: string) => ReactNode) | undefined>(undefined);
