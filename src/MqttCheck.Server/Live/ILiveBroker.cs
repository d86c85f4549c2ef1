namespace MqttCheck.Server.Live;

/// <summary>
/// The live broker of this page. The command line chose it; a browser can only ask for work on it. One piece of work is
/// done at a time.
/// </summary>
internal interface ILiveBroker
{
    /// <summary>The broker as the user named it.</summary>
    string Name { get; }

    /// <summary>Predicts, writes the prediction to a file, and plans the verification.</summary>
    /// <exception cref="InputException">The prediction cannot be verified, and why.</exception>
    Task<VerificationPlanned> PlanAsync(VerificationAsked asked, CancellationToken cancellation);

    /// <summary>Verifies what was planned.</summary>
    /// <param name="progress">Is told of every run.</param>
    /// <param name="orderly">Stops it: the result is partial.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="InputException">The broker failed, or the input was wrong.</exception>
    Task<VerificationDone> VerifyAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    );

    /// <summary>Explores with the clients of a scenario up to their number, and learns a model.</summary>
    /// <param name="asked">The scenario; the threshold does not matter.</param>
    /// <param name="progress">Is told what happens.</param>
    /// <param name="orderly">Stops it.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <returns>The file of the model.</returns>
    /// <exception cref="InputException">The broker failed, or it was stopped.</exception>
    Task<string> ExploreAsync(
        VerificationAsked asked,
        Action<LiveProgress> progress,
        CancellationToken orderly,
        CancellationToken atOnce
    );
}
