namespace MqttCheck.Server.Hosting;

/// <summary>A model that was learned from a log of the browser.</summary>
/// <param name="Model">The model.</param>
/// <param name="Command">The command that learns the same.</param>
/// <param name="Notes">The remarks on the log and on learning.</param>
internal sealed record LearnedHere(OfferedModel Model, string Command, IReadOnlyList<string> Notes);
