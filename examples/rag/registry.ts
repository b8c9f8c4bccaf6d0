import { defineRegistry } from "@agentplatform/core";
import { librarian } from "./agents/librarian.ts";

/** What this project hosts. A new agent goes into a file of its own, and into this list. */
export const registry = defineRegistry({ agents: [librarian] });
