namespace MqttCheck.Logs;

/// <summary>Why a run was made.</summary>
public enum RunPurpose
{
    /// <summary>To learn latencies from.</summary>
    Explore,

    /// <summary>To hold a prediction against.</summary>
    Verify,
}
