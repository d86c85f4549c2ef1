namespace MqttCheck.Checking.Properties;

/// <summary>What a monitor knows about a formula at a message.</summary>
public enum MonitorValue : byte
{
    /// <summary>Later messages decide.</summary>
    Open,

    /// <summary>It does not hold, whatever follows.</summary>
    False,

    /// <summary>It holds, whatever follows.</summary>
    True,

    /// <summary>It says nothing about this message: a comparison that does not apply. As the value of a whole trace it counts as true.</summary>
    Skip,
}
