using MqttCheck.Server.Live;

namespace MqttCheck.Server.Hosting;

/// <summary>The result of a verification, with the path at which the page finds its report.</summary>
/// <param name="Done">The result.</param>
/// <param name="Report">The report's path on this server.</param>
internal sealed record VerdictShown(VerificationDone Done, string Report);
