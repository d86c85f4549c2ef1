namespace MqttCheck.Testing;

/// <summary>Which latency a requirement is about.</summary>
public enum MeasuredLatency
{
    /// <summary>From sending a request of any kind to the last answer that it awaits.</summary>
    Any,

    /// <summary>From sending a publication to its acknowledgement.</summary>
    Acknowledgement,

    /// <summary>From sending a publication to its acknowledgement and its last delivery, whichever is later.</summary>
    Publish,
}
