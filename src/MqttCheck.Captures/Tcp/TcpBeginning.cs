namespace MqttCheck.Captures.Tcp;

/// <summary>The beginning of a connection, as far as the capture shows it.</summary>
/// <param name="ClientSide">The side that began the connection; negative where that is not known.</param>
/// <param name="IsSeen">Whether its first bytes are to come.</param>
/// <param name="Nanoseconds">When it was begun; null where the first packet is missing.</param>
internal readonly record struct TcpBeginning(int ClientSide, bool IsSeen, long? Nanoseconds);
