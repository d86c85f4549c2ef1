namespace MqttCheck.Clients;

/// <summary>
/// Why an exchange was made: whether its sequence counts, or it only keeps up the load around those that do.
/// </summary>
public enum ExchangePhase : byte
{
    /// <summary>Part of the partial first sequence, by which clients come out of step with each other.</summary>
    WarmUp,

    /// <summary>Part of a sequence that counts.</summary>
    Counted,

    /// <summary>
    /// Part of a sequence that keeps up the load until the last counted sequence of every client has ended.
    /// </summary>
    CoolDown,

    /// <summary>Part of the reset after a sequence (clean connect, disconnect), which drops the session.</summary>
    Reset,
}
