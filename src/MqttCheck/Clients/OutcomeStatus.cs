namespace MqttCheck.Clients;

/// <summary>How a sequence ended.</summary>
public enum OutcomeStatus : byte
{
    /// <summary>Every exchange succeeded.</summary>
    Completed,

    /// <summary>An exchange failed or timed out: a miss for every threshold.</summary>
    Failed,

    /// <summary>The run ended first: neither a hit nor a miss; such a sequence is not counted.</summary>
    Unfinished,
}
