using MqttCheck.Server.Live;

namespace MqttCheck.Server.Hosting;

/// <summary>What a verification found, and where the page finds its report.</summary>
/// <param name="Done">What was found.</param>
/// <param name="Report">The report's path on this server.</param>
internal sealed record VerdictShown(VerificationDone Done, string Report);
