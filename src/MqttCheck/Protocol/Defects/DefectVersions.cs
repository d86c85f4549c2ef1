namespace MqttCheck.Protocol.Defects;

/// <summary>The protocol versions in which a defect exists.</summary>
[Flags]
internal enum DefectVersions
{
    None = 0,
    V311 = 1,
    V5 = 2,
    Both = V311 | V5,
}
