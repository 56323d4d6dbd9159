/** Message header sizes of chunk types 0 to 3 (RTMP 1.0 §5.3.1.2). */
export const messageHeaderBytes = [11, 7, 3, 0] as const;

/** The 24-bit value that announces an extended timestamp (RTMP 1.0 §5.3.1.3). */
export const extendedMark = 0xffffff;
