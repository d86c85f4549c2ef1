namespace MqttCheck.Server.Hosting;

/// <summary>A model that was learned from a log of the browser.</summary>
/// <param name="Model">The model.</param>
/// <param name="Command">The command that learns the same.</param>
/// <param name="Notes">What was noticed in the log and in learning.</param>
internal sealed record LearnedHere(OfferedModel Model, string Command, IReadOnlyList<string> Notes);
