namespace MqttCheck.Brokers.Loads;

/// <summary>The subject of a line of a message log, in its column <c>phase</c>.</summary>
internal enum LoadPart : byte
{
    /// <summary>A message that counts.</summary>
    Counted,

    /// <summary>A message of the warm-up.</summary>
    WarmUp,

    /// <summary>A further arrival of a message.</summary>
    Repeat,

    /// <summary>The run as a whole, in the last line.</summary>
    Run,
}
