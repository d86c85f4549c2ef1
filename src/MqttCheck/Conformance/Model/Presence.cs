namespace MqttCheck.Conformance;

/// <summary>Whether the broker holds something.</summary>
internal enum Presence : byte
{
    No,
    Maybe,
    Yes,
}
