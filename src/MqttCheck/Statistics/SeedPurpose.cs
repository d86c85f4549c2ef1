namespace MqttCheck.Statistics;

/// <summary>
/// The purpose of a seed. Each purpose derives its own seed from the user's, because clients that explore must not make
/// the choices of clients that verify. The numbers never change, because a repeated seed must give the same result.
/// </summary>
internal enum SeedPurpose
{
    /// <summary>The training design, and the clients that explore.</summary>
    Explore = 1,

    /// <summary>The simulation of a prediction.</summary>
    Predict = 2,

    /// <summary>The clients that verify or compare.</summary>
    Verify = 3,

    /// <summary>The delays of the embedded broker.</summary>
    Broker = 4,

    /// <summary>The clients of a requirement in a test.</summary>
    Requirement = 5,

    /// <summary>The clients that measure again after a verification.</summary>
    MonteCarlo = 6,

    /// <summary>The random choices of a user's own action in a test.</summary>
    Action = 7,

    /// <summary>The pauses between a user's own actions.</summary>
    Pause = 8,
}
