namespace MqttCheck.Conformance.Model;

/// <summary>Whether the broker holds something.</summary>
internal enum Presence : byte
{
    No,
    Maybe,
    Yes,
}
