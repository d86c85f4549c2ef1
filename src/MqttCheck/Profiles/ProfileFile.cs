namespace MqttCheck.Profiles;

/// <summary>Reads usage profiles and populations from JSON files.</summary>
public static class ProfileFile
{
}
