const names: ReadonlySet<string> = new Set(["read_result", "search_result"]);

/** Whether a tool reads what is kept out of the prompt: its results stay there, and its calls count for no limit. */
export const isResultTool = (name: string): boolean => names.has(name);
