/** Whether terminals give their text to a screen reader: it costs, and a browser does not say if one is used. */

const STORED = 'repartee-screen-reader';

export const isReadAloud = (): boolean => localStorage.getItem(STORED) === 'on';

export const setReadAloud = (isOn: boolean): void =>
  localStorage.setItem(STORED, isOn ? 'on' : 'off');
