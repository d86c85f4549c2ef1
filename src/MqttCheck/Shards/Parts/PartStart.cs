namespace MqttCheck.Shards.Parts;

/// <summary>Prepares the part of a live run.</summary>
/// <param name="description">The description of the part.</param>
/// <param name="send">Sends notes to another part, by its number; never waits, keeps the order.</param>
/// <exception cref="InputException">The description is malformed.</exception>
internal delegate IRunPart PartStart(byte[] description, Action<int, byte[]> send);
