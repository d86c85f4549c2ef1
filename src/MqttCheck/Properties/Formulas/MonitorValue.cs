namespace MqttCheck.Properties.Formulas;

/// <summary>What a monitor knows about a formula on a trace.</summary>
public enum MonitorValue : byte
{
    /// <summary>Later messages decide.</summary>
    Open,

    /// <summary>It does not hold, whatever follows.</summary>
    False,

    /// <summary>It holds, whatever follows.</summary>
    True,

    /// <summary>It says nothing about this trace: no message had what it asks for.</summary>
    Nothing,
}
