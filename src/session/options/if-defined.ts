/** `{name: value}` where there is a value: what was not given leaves the default. */
export const ifDefined = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
