namespace MqttCheck.Cli.VerifyProperty;

/// <summary>The verdicts on a property of a live broker.</summary>
internal enum PropertyVerdictKind
{
    /// <summary>It holds.</summary>
    Holds,

    /// <summary>It is violated.</summary>
    Violated,

    /// <summary>Neither can be said with the stated error; the reason says why.</summary>
    Withheld,
}
