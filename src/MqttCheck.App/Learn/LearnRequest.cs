using MqttCheck.Learning.Learners;

namespace MqttCheck.App.Learn;

/// <summary>Everything that learning needs.</summary>
/// <param name="Logs">The logs of explorations of the same broker with the same settings.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Output">The model file to write.</param>
internal sealed record LearnRequest(IReadOnlyList<string> Logs, ILearner Learner, ulong Seed, string Output);
