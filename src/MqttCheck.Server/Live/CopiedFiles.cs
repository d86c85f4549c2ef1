namespace MqttCheck.Server.Live;

/// <summary>The files that a command names: their content is that of the question.</summary>
/// <param name="Model">The model's file.</param>
/// <param name="Profile">The profile's file, or the name of a built-in one.</param>
internal sealed record CopiedFiles(string Model, string Profile);
