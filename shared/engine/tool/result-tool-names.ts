const names: ReadonlySet<string> = new Set(["read_result", "search_result"]);

/** Whether this is the name of a tool that reads what is kept out of the prompt. */
export const isResultTool = (name: string): boolean => names.has(name);
