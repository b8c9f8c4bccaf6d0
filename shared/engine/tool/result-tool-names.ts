/** The tool that searches what has left a prompt. */
export const HISTORY_SEARCH = "search_compacted_history";

const names: ReadonlySet<string> = new Set(["read_result", "search_result", HISTORY_SEARCH]);

/** Whether this is the name of a tool that reads what is kept out of the prompt. */
export const isResultTool = (name: string): boolean => names.has(name);
