namespace MqttCheck.Broker.Core;

/// <summary>The operations on topics that an access rule can name.</summary>
[Flags]
public enum AccessAction : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Publish, wills included.</summary>
    Publish = 1,

    /// <summary>Subscribe.</summary>
    Subscribe = 2,

    /// <summary>Both.</summary>
    Both = 3,
}
