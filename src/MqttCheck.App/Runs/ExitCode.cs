using System.Diagnostics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Runs;

/// <summary>The exit codes of all commands; scripts rely on them.</summary>
internal static class ExitCode
{
    /// <summary>All confirmed or not worse, or the work is done.</summary>
    public const int Success = 0;

    /// <summary>A prediction was refuted, a difference found, a promise broken.</summary>
    public const int Refuted = 1;

    /// <summary>Wrong usage or input.</summary>
    public const int WrongInput = 2;

    /// <summary>The broker or the environment failed.</summary>
    public const int BrokerFailed = 3;

    /// <summary>A verdict was withheld, or a run was invalid.</summary>
    public const int Withheld = 4;

    /// <summary>Interrupted by the user or the system.</summary>
    public const int Interrupted = 130;

    /// <summary>The exit code of what was concluded.</summary>
    public static int Of(Conclusion conclusion) =>
        conclusion switch
        {
            Conclusion.Success => Success,
            Conclusion.Withheld => Withheld,
            Conclusion.Failed => BrokerFailed,
            Conclusion.Refuted => Refuted,
            Conclusion.Interrupted => Interrupted,
            _ => throw new UnreachableException(),
        };
}
