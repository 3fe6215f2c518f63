/** The dialects from other projects. Their names alone, since loading the dialects takes time. */
export const dialectNames = ['codex', 'hive', 'unified', 'tricode'] as const;
export type DialectName = (typeof dialectNames)[number];
