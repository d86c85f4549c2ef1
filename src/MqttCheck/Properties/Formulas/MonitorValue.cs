namespace MqttCheck.Properties.Formulas;

/// <summary>The value of a formula on a trace, as far as a monitor knows it.</summary>
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
