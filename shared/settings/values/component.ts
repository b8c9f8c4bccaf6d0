/** How a setting names a component. */
export const component = {
  form: "agents/<id>, teams/<id> or workflows/<id>",
  may: "`agents/<id>`, `teams/<id>` or `workflows/<id>`",
  pattern: String.raw`(agents|teams|workflows)/[^/\s,]+`,
} as const;
