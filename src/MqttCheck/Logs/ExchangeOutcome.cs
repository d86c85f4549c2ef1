namespace MqttCheck.Logs;

/// <summary>How an exchange ended.</summary>
public enum ExchangeOutcome : byte
{
    /// <summary>Everything awaited arrived.</summary>
    Success,

    /// <summary>Something awaited did not arrive within the deadline.</summary>
    Timeout,

    /// <summary>The connection ended before everything awaited had arrived.</summary>
    ConnectionLost,

    /// <summary>The broker answered with a failure code.</summary>
    Refused,

    /// <summary>
    /// The broker answered, but not as the standard demands (a wrong number of deliveries, an answer that does not
    /// fit).
    /// </summary>
    Violation,

    /// <summary>The run ended first; the exchange says nothing about the broker.</summary>
    Cancelled,
}
