namespace MqttCheck.Conformance.Scenarios;

/// <summary>The look of a client identifier.</summary>
internal enum IdentifierKind : byte
{
    /// <summary>Short, of letters and digits.</summary>
    Plain,

    /// <summary>Short, and different from those of other such clients only by the case of its letters.</summary>
    Case,

    /// <summary>Longer than the 23 bytes that every broker must take, and different only behind them.</summary>
    Long,
}
