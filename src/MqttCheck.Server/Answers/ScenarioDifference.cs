namespace MqttCheck.Server.Answers;

/// <summary>How a scenario differs from the first one.</summary>
/// <param name="Scenario">The scenario's place in the question, from 0.</param>
/// <param name="Difference">Its probability minus that of the first.</param>
/// <param name="Lower">Lower end of the difference's interval.</param>
/// <param name="Upper">Upper end of the difference's interval.</param>
/// <param name="Words">Which is better, as far as that is shown.</param>
internal sealed record ScenarioDifference(int Scenario, double Difference, double Lower, double Upper, string Words);
