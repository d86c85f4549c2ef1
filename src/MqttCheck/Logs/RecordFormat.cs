namespace MqttCheck.Logs;

/// <summary>Formats a record as one line.</summary>
/// <typeparam name="T">The record.</typeparam>
/// <param name="record">The record.</param>
/// <param name="to">Room for the line.</param>
/// <returns>The length of the line in bytes, the newline included.</returns>
internal delegate int RecordFormat<T>(in T record, Span<byte> to)
    where T : struct;
