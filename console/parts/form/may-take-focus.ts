/** Whether a field may be ready to be written in when its screen opens. A phone would open its keyboard over what there is to read. */
export const mayTakeFocus = (): boolean => matchMedia("(hover: hover)").matches;
