using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.App.Verify;

/// <summary>Shows a verification while it goes on.</summary>
/// <param name="planned">The plan.</param>
/// <param name="verify">Makes the runs, and tells of each of them.</param>
/// <returns>The result of <paramref name="verify"/>.</returns>
internal delegate Task<VerificationResult> VerificationView(
    PlannedVerification planned,
    Func<IProgress<VerificationProgress>, Task<VerificationResult>> verify
);
