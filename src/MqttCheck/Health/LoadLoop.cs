namespace MqttCheck.Health;

/// <summary>
/// The rule by which the next request is sent. Every result names it, because closed and open loops measure different
/// things.
/// </summary>
public enum LoadLoop : byte
{
    /// <summary>
    /// A client sends its next request some time after the answer to the last one: a slow broker gets less load.
    /// </summary>
    Closed,

    /// <summary>
    /// Requests are sent at times fixed before the run, whatever the broker does; latency counts from the intended
    /// time.
    /// </summary>
    Open,
}
