namespace MqttCheck.Statistics;

/// <summary>Laws as text, for options and files.</summary>
public static class LawText
{
}
