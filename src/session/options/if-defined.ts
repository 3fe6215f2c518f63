/** `{name: value}`, or `{}` without a value, so that the default stays. */
export const ifDefined = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
