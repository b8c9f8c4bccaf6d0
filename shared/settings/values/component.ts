/** How a setting names a component. */
export const ONE_COMPONENT = /^(agents|teams|workflows)\/[^/\s,]+$/;
export const NO_COMPONENT = "must be agents/<id>, teams/<id> or workflows/<id>";
