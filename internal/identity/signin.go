package identity

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

// SignUpInput is the account to open, as the user typed it.
type SignUpInput struct {
	Email    string
	Password string
	Name     string
}

// SignUp opens an account and signs in, which ends the browser's earlier sign-in. The account gets
// the starting credits if the address never had an account. With mail, SignUp only sends a link,
// with which VerifyEmail opens the account, and returns nil; a known address gets another mail.
// Known and new addresses take the same time. Faults: SignUpClosed; InvalidInput with every bad
// field; RateLimited over MaxSignUps, or when too many clients of the network wait; Conflict, only
// without mail, for a known address.
func (s *Service) SignUp(ctx context.Context, in SignUpInput, client Client) (*SignedIn, error) {
	if !s.cfg.SignUpOpen() {
		return nil, fault.Wrap(fault.SignUpClosed, nil)
	}
	email, emailErr := account.ParseEmail(in.Email)
	passwordErr := auth.CheckPassword("password", in.Password, email)
	name, nameErr := account.ParseName(in.Name)
	if err := mergeInvalid(emailErr, passwordErr, nameErr); err != nil {
		return nil, err
	}
	hash, err := s.hashNew(ctx, in.Password, client)
	if err != nil {
		return nil, s.hashQueues.delayRefusal(ctx, err)
	}
	if s.cfg.Mail {
		return nil, s.mailSignUp(ctx, email, name, hash)
	}
	signIn, token := s.mint(client)
	opened, err := accounts.On(s.cfg.Store).SignUp(ctx, accounts.NewAccount{
		Email: email, Name: name, PasswordHash: hash, StartingCredits: s.cfg.StartingCredits,
	}, signIn)
	if err != nil {
		return nil, err
	}
	signedIn := s.signedIn(opened, signIn.ID, token)
	return &signedIn, nil
}

// hashNew counts a sign-up and hashes its password. Fault: RateLimited.
func (s *Service) hashNew(ctx context.Context, password string, client Client) (string, error) {
	leave, err := enter(ctx, s.hashQueues.unknown, client.wideNetwork())
	if err != nil {
		return "", err
	}
	defer leave()
	key := s.cfg.Tokens.ThrottleKey("sign-up", client.network())
	if _, err := s.attempt(ctx, key, uuid.Nil, MaxSignUps, SignUpWindow); err != nil {
		return "", err
	}
	hash, err := s.cfg.Hasher.Hash(ctx, password)
	if err != nil {
		return "", hashFault(err)
	}
	return hash, nil
}

// SignInInput holds the credentials of a sign-in, as the user typed them.
type SignInInput struct {
	Email    string
	Password string
	// Code is a code of the second factor or a recovery code; empty for none.
	Code string
}

// SignIn signs a user in, with or without an account, which ends the browser's earlier sign-in. An
// unknown address and a wrong password get the same response after the same work: three statements
// and one hash, or only statements over a limit. Known browsers are counted separately and not with
// their network, so that guesses from elsewhere do not lock the user out. A wrong code counts like
// a wrong password. Faults: InvalidInput for a malformed address or an empty password;
// InvalidCredentials; SecondFactorRequired after a right password without a valid code; RateLimited
// over MaxGuesses, MaxWrong or MaxSignIns, or when too many clients of the network wait.
func (s *Service) SignIn(ctx context.Context, in SignInInput, client Client) (SignedIn, error) {
	email, emailErr := account.ParseEmail(in.Email)
	if err := mergeInvalid(emailErr, requirePassword("password", in.Password)); err != nil {
		return SignedIn{}, err
	}
	credentials, err := users.On(s.cfg.Store).CredentialsByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return SignedIn{}, err
	}
	check := s.checkUnknown
	known := err == nil && s.cfg.Tokens.IsKnownBrowser(credentials.UserID, client.KnownBrowser)
	if known {
		check = s.checkKnown
	}
	err = check(ctx, in, email, credentials, client)
	if err == nil {
		key := s.cfg.Tokens.ThrottleKey("signed in", email)
		_, err = s.attempt(ctx, key, uuid.Nil, MaxSignIns, SignInWindow)
	}
	if err != nil {
		return SignedIn{}, s.hashQueues.delayRefusal(ctx, err)
	}
	signIn, token := s.mint(client)
	signIn.NewBrowser, signIn.Notify = !known, s.cfg.Mail
	opened, err := users.On(s.cfg.Store).CreateSignIn(ctx, credentials, signIn)
	if err != nil {
		return SignedIn{}, err
	}
	out := s.signedIn(opened, signIn.ID, token)
	hasFactor := credentials.SecondFactorAt != nil
	out.Principal.NeedsSecondFactor = s.needsSecondFactor(opened.Account, hasFactor)
	return out, nil
}

// needsSecondFactor reports whether a user must set up a second factor before anything else.
func (s *Service) needsSecondFactor(a account.Account, on bool) bool {
	return !on && (s.cfg.RequireSecondFactor || a.RequireSecondFactor)
}

// checkKnown checks the credentials that a known browser sent. Faults: InvalidCredentials,
// SecondFactorRequired, RateLimited.
func (s *Service) checkKnown(
	ctx context.Context, in SignInInput, email string, c users.Credentials, client Client,
) error {
	leave, err := enter(ctx, s.hashQueues.known, c.UserID.String())
	if err != nil {
		return err
	}
	defer leave()
	key := s.cfg.Tokens.ThrottleKey("sign-in from a known browser", email)
	giveBack, err := s.attempt(ctx, key, c.UserID, MaxGuesses, GuessWindow)
	if err != nil {
		return err
	}
	return s.match(ctx, s.known, in, c, client, giveBack)
}

// checkUnknown checks the credentials that any other browser sent. The user may not exist. Faults:
// those of checkKnown.
func (s *Service) checkUnknown(
	ctx context.Context, in SignInInput, email string, c users.Credentials, client Client,
) error {
	network := client.wideNetwork()
	leave, err := enter(ctx, s.hashQueues.unknown, network)
	if err != nil {
		return err
	}
	defer leave()
	ofNetwork := s.cfg.Tokens.ThrottleKey("wrong passwords", network)
	networkBack, err := s.attempt(ctx, ofNetwork, uuid.Nil, MaxWrong, GuessWindow)
	if err != nil {
		return err
	}
	ofAddress := s.cfg.Tokens.ThrottleKey("sign-in", email)
	accountBack, err := s.attempt(ctx, ofAddress, c.UserID, MaxGuesses, GuessWindow)
	if err != nil {
		return cmp.Or(networkBack(), err) // nothing was guessed
	}
	return s.match(ctx, s.cfg.Hasher, in, c, client, networkBack, accountBack)
}

// GuessKeys returns the keys that count sign-ins to an address, with wrong and with right
// passwords, from any network. Addresses that differ after a + have different keys: a new password
// clears a user's counts, and must not clear another user's.
func GuessKeys(tokens *auth.Tokens, email string) [][32]byte {
	return [][32]byte{
		tokens.ThrottleKey("sign-in", email),
		tokens.ThrottleKey("sign-in from a known browser", email),
		tokens.ThrottleKey("signed in", email),
	}
}

// match checks the password and then the code. If the user does not exist, it does the same work.
// If the password is right and no wrong code was sent, it gives the attempts back. Faults:
// InvalidCredentials; SecondFactorRequired for a missing or wrong code.
func (s *Service) match(
	ctx context.Context, hasher *auth.Hasher, in SignInInput, c users.Credentials, client Client,
	giveBack ...func() error,
) error {
	if c.PasswordHash == "" {
		if err := hasher.VerifyDummy(ctx, in.Password); err != nil {
			return hashFault(err)
		}
		return fault.Wrap(fault.InvalidCredentials, nil)
	}
	right, err := hasher.Verify(ctx, c.PasswordHash, in.Password)
	if err != nil {
		return hashFault(err)
	}
	if !right {
		return fault.Wrap(fault.InvalidCredentials, nil)
	}
	err = s.checkCode(ctx, c, in.Code, fault.SecondFactorRequired, client)
	if err != nil && in.Code != "" {
		return err
	}
	for _, back := range giveBack {
		err = cmp.Or(back(), err)
	}
	return err
}

// Renew exchanges a refresh token for a new pair of tokens. For ten seconds the same token gets the
// same successor again; used later, it ends the whole sign-in. Fault: Unauthorized.
func (s *Service) Renew(ctx context.Context, client Client) (SignedIn, error) {
	refreshToken := client.RefreshToken
	token, ok := s.cfg.Tokens.ParseRefresh(refreshToken)
	if !ok {
		return SignedIn{}, fault.Wrap(fault.Unauthorized, nil)
	}
	successor := token.Successor()
	rotation := users.Rotation{
		SignInID:      token.SignInID,
		Generation:    token.Generation,
		Hash:          auth.RefreshHash(refreshToken),
		SuccessorHash: auth.RefreshHash(successor),
	}
	usedTwice := client.Does("renewAccess", audit.UsedTwice)
	opened, err := users.On(s.cfg.Store).RotateSignIn(ctx, rotation, usedTwice)
	if err != nil {
		return SignedIn{}, err
	}
	return s.signedIn(opened, token.SignInID, successor), nil
}

// Authenticate returns the principal of an access token and its account, in one statement. The
// account is the one with the ID if the user is a member of it, otherwise the user's first, which
// may be suspended, or the zero Account if the user has none. An account token has only its own
// account. Fault: Unauthorized if the token is not valid, or its sign-in was ended or has expired.
func (s *Service) Authenticate(
	ctx context.Context, accessToken string, accountID uuid.UUID, client Client,
) (auth.Principal, account.Account, error) {
	if token, ok := apikey.ParseToken(accessToken); ok {
		return s.authenticateToken(ctx, token, client)
	}
	access, err := s.cfg.Tokens.ReadAccess(accessToken)
	if err != nil {
		return auth.Principal{}, account.Account{}, err
	}
	ctx = store.ForAccount(ctx, access.UserID())
	active, err := users.On(s.cfg.Store.Panel()).SignInActive(ctx,
		access.UserID(), access.SignInID(), accountID)
	if err != nil {
		return auth.Principal{}, account.Account{}, err
	}
	p, err := access.At(active.Now)
	if err != nil {
		return auth.Principal{}, account.Account{}, err
	}
	return s.withState(p, active), active.Account, nil
}

// withState adds the state of the database to a principal.
func (s *Service) withState(p auth.Principal, active users.Active) auth.Principal {
	p.AccountID, p.Role = active.Account.ID, active.Role
	p.Several, p.Reauthenticated = active.Several, active.Reauthenticated
	p.NeedsSecondFactor = s.needsSecondFactor(active.Account, active.SecondFactor)
	return p
}

// UserOf returns the user of an access token that this service signed, valid or not.
func (s *Service) UserOf(accessToken string) (id uuid.UUID, ok bool) {
	access, err := s.cfg.Tokens.ReadAccess(accessToken)
	if err != nil {
		return uuid.Nil, false
	}
	return access.UserID(), true
}

// SignedIn returns the current state of a principal; the access token may have expired. Fault:
// Unauthorized if the sign-in was ended or has expired, the user is no longer a member of the
// account, or the account is suspended or deleted.
func (s *Service) SignedIn(ctx context.Context, p auth.Principal) (auth.Principal, error) {
	active, err := users.On(s.cfg.Store).SignInActive(ctx, p.UserID, p.SignInID, p.AccountID)
	if err != nil {
		return auth.Principal{}, err
	}
	if active.Account.ID != p.AccountID || active.Account.State != account.Active {
		return auth.Principal{}, fault.Wrap(fault.Unauthorized, nil)
	}
	return s.withState(p, active), nil
}

// SignOut ends the refresh token's sign-in and the principal's. Either may be absent or already
// ended.
func (s *Service) SignOut(
	ctx context.Context, refreshToken string, p *auth.Principal, client Client,
) error {
	if token, ok := s.cfg.Tokens.ParseRefresh(refreshToken); ok {
		err := users.On(s.cfg.Store).EndSignInOfToken(ctx, token.SignInID, client.Does("signOut"))
		if err != nil {
			return err
		}
	}
	if p == nil {
		return nil
	}
	err := users.On(s.cfg.Store).EndSignIn(ctx, p.UserID, p.SignInID, client.Does("signOut"))
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// SignOutEverywhere ends every sign-in of the user.
func (s *Service) SignOutEverywhere(ctx context.Context, p auth.Principal, client Client) error {
	_, err := users.On(s.cfg.Store).EndAllSignIns(ctx, p.UserID, client.Does("signOutEverywhere"))
	return err
}

// SignIn is a browser or program that is signed in.
type SignIn struct {
	users.SignIn
	// Current means that this sign-in sent the request.
	Current bool
}

// SignIns returns the user's sign-ins, at most users.MaxSignIns, the latest renewed first.
func (s *Service) SignIns(ctx context.Context, p auth.Principal) ([]SignIn, error) {
	rows, err := users.On(s.cfg.Store).ListSignIns(ctx, p.UserID)
	if err != nil {
		return nil, err
	}
	out := make([]SignIn, 0, len(rows))
	for _, row := range rows {
		out = append(out, SignIn{SignIn: row, Current: row.ID == p.SignInID})
	}
	return out, nil
}

// EndSignIn ends one of the user's sign-ins. Fault: NotFound, also for another user's.
func (s *Service) EndSignIn(
	ctx context.Context, p auth.Principal, id uuid.UUID, client Client,
) error {
	return users.On(s.cfg.Store).EndSignIn(ctx, p.UserID, id, client.Does("endSignIn"))
}
