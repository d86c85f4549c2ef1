namespace MqttCheck.Checking;

/// <summary>What a verification says about a prediction.</summary>
public enum VerdictKind
{
    /// <summary>The broker behaves as predicted, within the indifference.</summary>
    Confirmed,

    /// <summary>The broker is worse than predicted.</summary>
    Worse,

    /// <summary>The broker is better than predicted: the prediction was too timid.</summary>
    Better,

    /// <summary>No verdict with the stated errors; the reason says why.</summary>
    Withheld,

    /// <summary>The verification was interrupted.</summary>
    Partial,
}
