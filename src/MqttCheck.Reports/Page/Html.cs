namespace MqttCheck.Reports.Page;

/// <summary>Text that is markup already, and is not escaped again.</summary>
internal readonly record struct Html(string Text);
